import type { ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow';
import { brand } from '../../shared/brand.ts';
import { credentialTest, oauthDefaults } from '../adapter/credential.ts';
import { credentialType } from '../adapter/names.ts';

const { authorizeUrl, tokenUrl, scope, authentication } = oauthDefaults();

export class SchedulerOAuth2Api implements ICredentialType {
  name = credentialType;

  extends = ['oAuth2Api'];

  displayName = `${brand.name} OAuth2 API`;

  documentationUrl = brand.docsUrl;

  icon = { light: 'file:../icons/scheduler.svg', dark: 'file:../icons/scheduler.dark.svg' } as const;

  properties: INodeProperties[] = [
    {
      displayName: 'Base URL of the API',
      name: 'baseUrl',
      type: 'string',
      required: true,
      default: brand.baseUrl,
      description: `The address of the API of ${brand.name}. Change it only to connect to a test system.`,
    },
    { displayName: 'Grant Type', name: 'grantType', type: 'hidden', default: 'authorizationCode' },
    { displayName: 'Authorization URL', name: 'authUrl', type: 'hidden', default: authorizeUrl, required: true },
    { displayName: 'Access Token URL', name: 'accessTokenUrl', type: 'hidden', default: tokenUrl, required: true },
    { displayName: 'Scope', name: 'scope', type: 'hidden', default: scope },
    { displayName: 'Auth URI Query Parameters', name: 'authQueryParameters', type: 'hidden', default: '' },
    { displayName: 'Authentication', name: 'authentication', type: 'hidden', default: authentication },
    { displayName: 'Use PKCE', name: 'usePkce', type: 'hidden', default: true },
  ];

  test: ICredentialTestRequest = credentialTest();
}
