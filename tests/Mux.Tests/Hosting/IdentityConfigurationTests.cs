using System.Security.Cryptography;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Mux.Identity;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Hosting;

/// <summary>Who may connect, and who a client is, from the configuration of a host.</summary>
public sealed class IdentityConfigurationTests : HostingTests
{
    private static readonly string s_key = Convert.ToBase64String(RandomNumberGenerator.GetBytes(32));

    [Fact]
    public void Every_option_of_identity_has_its_key()
    {
        var builder = NewHost(
            ("Mux:Server:Identity:SharedKeys:orders-1:Key", s_key), ("Mux:Server:Identity:SharedKeys:orders-1:Roles", "reader, writer"), ("Mux:Server:Identity:SharedKeyLifetime", "01:00:00"),
            ("Mux:Server:Identity:TrustTransport", "true"), ("Mux:Server:Identity:AllowAnonymous", "true"), ("Mux:Server:Identity:Gateways", "front, back"), ("Mux:Server:Identity:AuthenticationTimeout", "00:00:03"),
            ("Mux:Server:Identity:MaxConcurrentAuthentications", "9"), ("Mux:Server:Identity:MaxConcurrentAuthenticationsPerAddress", "4"), ("Mux:Clients:Default:SharedKey:BindToTls", "false"), ("Mux:Clients:Default:SharedKey:Id", "orders-1"), ("Mux:Clients:Default:SharedKey:Key", s_key));
        builder.Services.AddMuxServer(Address);
        builder.Services.AddMuxClient(Address);
        using var host = builder.Build();
        var identity = host.Services.GetRequiredService<IOptions<MuxServerOptions>>().Value.Identity!;
        var key = Assert.Single(identity.SharedKeys);
        Assert.Equal("orders-1", key.Id);
        Assert.Equal(["reader", "writer"], key.Roles);
        Assert.Equal(["front", "back"], identity.Gateways);
        Assert.Equal((TimeSpan.FromHours(1), true, true, TimeSpan.FromSeconds(3), 9, 4),
            (identity.SharedKeyLifetime, identity.TrustTransport, identity.AllowAnonymous, identity.AuthenticationTimeout, identity.MaxConcurrentAuthentications, identity.MaxConcurrentAuthenticationsPerAddress));
        Assert.False(Assert.IsType<SharedKeyCredentials>(host.Services.GetRequiredService<IOptionsMonitor<MuxChannelOptions>>().Get(null).Credentials).BindToTls);

        // In code alone: what looks at credentials, and policies.
        string[] codeOnly = [nameof(identity.Authenticators), nameof(identity.Policies)];
        Assert.Equal(7, typeof(MuxIdentityOptions).GetProperties().Count(property => !codeOnly.Contains(property.Name) && property.Name != nameof(identity.SharedKeys)));
    }

    [Fact]
    public async Task A_server_and_a_client_of_one_configuration_know_each_other_and_policies_come_from_the_builder()
    {
        var builder = NewHost(("Mux:Server:Identity:SharedKeys:orders-1:Key", s_key), ("Mux:Clients:Default:SharedKey:Id", "orders-1"), ("Mux:Clients:Default:SharedKey:Key", s_key));
        builder.Services.AddMuxServer(Address).AddService<IGuarded, Guarded>().AddPolicy("adult", static user => user.Identity?.Name == "orders-1");
        builder.Services.AddMuxClient(Address).AddProxy<IGuarded>();
        await using var host = await StartAsync(builder);
        var sut = host.Services.GetRequiredService<IGuarded>();
        Assert.Equal("orders-1", await sut.WhoAmI());
        Assert.Equal([1, 2], await sut.Count(2, TestContext.Current.CancellationToken).ToListAsync(TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task A_host_whose_contract_asks_for_a_policy_that_is_not_there_does_not_start()
    {
        var builder = NewHost(("Mux:Server:Identity:SharedKeys:orders-1:Key", s_key));
        builder.Services.AddMuxServer(Address).AddService<IGuarded, Guarded>();
        Assert.Contains("requires the policy 'adult'", (await FailsToStartAsync<InvalidOperationException>(builder)).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("SharedKeys:orders-1:Key", "c2hvcnQ=", "Mux:Server:Identity:SharedKeys:orders-1:Key: The key 'orders-1' is 5 bytes long: expected 32 to 1024")]
    [InlineData("SharedKeys:orders-1:Key", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "Mux:Server:Identity:SharedKeys:orders-1:Key: The key 'orders-1' has 1 distinct byte values; at least 16 are needed")]
    [InlineData("SharedKeys:orders-1:Key", "secret?", "Mux:Server:Identity:SharedKeys:orders-1:Key: The key 'orders-1' is not base 64")]
    [InlineData("SharedKeys:orders 1:Key", "c2hvcnQ=", "Mux:Server:Identity:SharedKeys:orders 1:Id: 'orders 1' is not an id of a key")]
    [InlineData("SharedKeys:orders-1:Roles", "reader", "Mux:Server:Identity:SharedKeys:orders-1:Key: missing: at least 32 random bytes in base 64")]
    [InlineData("SharedKeys:orders-1:Role", "reader", "Mux:Server:Identity:SharedKeys:orders-1:Role: there is no such option; did you mean Roles?")]
    [InlineData("SharedKeys", "secret?", "Mux:Server:Identity:SharedKeys: the value is not a section with options")]
    [InlineData("SharedKeys:orders-1", "secret?", "Mux:Server:Identity:SharedKeys:orders-1: the value is not a section with options")]
    [InlineData("AuthenticationTimeout", "00:11:00", "Mux:Server:Identity:AuthenticationTimeout: '00:11:00' is not allowed: expected 00:00:00.010 to 00:10:00")]
    [InlineData("MaxConcurrentAuthentications", "0", "Mux:Server:Identity:MaxConcurrentAuthentications: '0' is not allowed: expected 1 to 65536")]
    [InlineData("MaxConcurrentAuthenticationsPerAddress", "0", "Mux:Server:Identity:MaxConcurrentAuthenticationsPerAddress: '0' is not allowed: expected 1 to 65536")]
    [InlineData("SharedKeyLifetime", "00:00:04.900", "Mux:Server:Identity:SharedKeyLifetime: '00:00:04.9000000' is not allowed: expected 00:00:05 or more")]
    [InlineData("AllowAnonymous", "true", "Mux:Server:Identity:SharedKeys: no client could be authenticated")]
    public async Task A_wrong_option_is_named_and_no_key_is_repeated(string key, string value, string expected)
    {
        var builder = NewHost(($"Mux:Server:Identity:{key}", value));
        builder.Services.AddMuxServer(Address).AddService<IDesk, Desk>();
        var failures = (await FailsToStartAsync<OptionsValidationException>(builder)).Failures.ToList();
        Assert.Contains(failures, failure => failure.StartsWith(expected, StringComparison.Ordinal));
        Assert.DoesNotContain(failures, failure => failure.Contains("secret", StringComparison.Ordinal) || failure.Contains("c2hvcnQ", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("SharedKey:Key", "Mux:Clients:Default:SharedKey:Id: missing")]
    [InlineData("SharedKey", "Mux:Clients:Default:SharedKey: the value is not a section with options")]
    public async Task A_client_whose_key_is_incomplete_is_told_so(string key, string expected)
    {
        var builder = NewHost(($"Mux:Clients:Default:{key}", s_key));
        builder.Services.AddMuxClient(Address);
        var failures = (await FailsToStartAsync<OptionsValidationException>(builder)).Failures.ToList();
        Assert.Contains(failures, failure => failure.StartsWith(expected, StringComparison.Ordinal));
        Assert.DoesNotContain(failures, failure => failure.Contains(s_key, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "has 1 distinct byte values; at least 16 are needed")]
    [InlineData("c2hvcnQ=", "is 5 bytes long: expected 32 to 1024")]
    public async Task A_client_with_a_weak_key_does_not_start_and_the_key_is_not_repeated(string key, string expected)
    {
        var builder = NewHost(("Mux:Clients:Default:SharedKey:Id", "orders-1"), ("Mux:Clients:Default:SharedKey:Key", key));
        builder.Services.AddMuxClient(Address);
        var failure = Assert.Single((await FailsToStartAsync<OptionsValidationException>(builder)).Failures);
        Assert.StartsWith($"Mux:Clients:Default:SharedKey:Key: The key 'orders-1' {expected}", failure, StringComparison.Ordinal);
        Assert.DoesNotContain(key, failure, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Roles")]
    [InlineData("Roles:0")]
    public async Task Roles_of_a_client_which_nobody_would_read_are_refused(string key)
    {
        var builder = NewHost(("Mux:Clients:Default:SharedKey:Id", "orders-1"), ("Mux:Clients:Default:SharedKey:Key", s_key), ($"Mux:Clients:Default:SharedKey:{key}", "manager"));
        builder.Services.AddMuxClient(Address);
        var failure = Assert.Single((await FailsToStartAsync<OptionsValidationException>(builder)).Failures);
        Assert.Equal("Mux:Clients:Default:SharedKey:Roles: the roles of a client are set at the server (Mux:Server:Identity:SharedKeys:orders-1:Roles), and have no effect here: remove them.", failure);
    }

    [Fact]
    public void Two_authenticators_of_a_scheme_and_two_keys_of_an_id_are_told_together()
    {
        var options = new MuxServerOptions { Identity = new MuxIdentityOptions { SharedKeys = { SharedKey.FromBase64("a", s_key), SharedKey.FromBase64("a", s_key) } } };
        options.Identity.Authenticators.Add(new BearerAuthenticator(static (_, _) => default));
        options.Identity.Authenticators.Add(new BearerAuthenticator(static (_, _) => default));
        var texts = options.Validate().Select(failure => failure.ToString()).ToList();
        Assert.Contains("Identity:SharedKeys: 2 keys have the id 'a': each key needs its own id.", texts);
        Assert.Contains("Identity:Authenticators: the scheme 'bearer' has 2 authenticators: expected one.", texts);
    }
}
