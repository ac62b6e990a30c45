using System.Security.Claims;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.IdentityModel.JsonWebTokens;
using Microsoft.IdentityModel.Protocols;
using Microsoft.IdentityModel.Protocols.OpenIdConnect;
using Microsoft.IdentityModel.Tokens;
using Mux.DependencyInjection;
using Mux.Identity;
using Mux.Transports;

namespace Mux.Snippets.Tests;

public static class Tokens
{
    public static IMuxServerBuilder AddServerWithTokens(this IServiceCollection services)
    {
        var tokens = new JsonWebTokenHandler();
        var keys = new ConfigurationManager<OpenIdConnectConfiguration>("https://login.example/.well-known/openid-configuration", new OpenIdConnectConfigurationRetriever());
        var rules = new TokenValidationParameters
        {
            ValidIssuer = "https://login.example",
            ValidAudience = "orders",
            ValidAlgorithms = ["RS256", "ES256"], // never what the token asks for
            NameClaimType = "sub",
            RoleClaimType = "roles", // as your issuer calls them: without it no token has a role for [MuxAuthorize(Roles = ...)]
            ClockSkew = TimeSpan.FromSeconds(30),
            ConfigurationManager = keys, // looks for unknown keys every five minutes at most
        };
        var bearer = new BearerAuthenticator(async (token, _) =>
        {
            var result = await tokens.ValidateTokenAsync(token, rules);
            return result.IsValid
                ? AuthenticationResult.Success(new PeerIdentity(new ClaimsPrincipal(result.ClaimsIdentity), new DateTimeOffset(result.SecurityToken.ValidTo, TimeSpan.Zero) + rules.ClockSkew))
                : AuthenticationResult.Fail(result.Exception.GetType().Name);
        });
        return services.AddMuxServer(configure: server => (server.Identity ??= new MuxIdentityOptions()).Authenticators.Add(bearer));
    }

    public static IMuxClientBuilder AddClientWithTokens(this IServiceCollection services, Func<CancellationToken, Task<string>> getTokenFromCacheAsync) =>
        services.AddKeyedMuxClient("orders", client => client.Credentials = new BearerCredentials(async cancellationToken => await getTokenFromCacheAsync(cancellationToken)));
}
