using System.Security.Claims;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Mux.Identity;
using Mux.ProtocolCases.Serving;
using Mux.TestSupport.Transports.Tls;
using Mux.Tool.Workloads;
using Mux.Transports;

namespace Mux.Tool.Tests.Processes;

/// <summary>Servers that ask who their clients are.</summary>
[Collection(ProcessesWithoutLoad.Name)]
public sealed class IdentityTests : IDisposable
{
    private const string Token = "a token that this server takes";

    private static readonly string[] s_shortLoad = ["--workload", "echo", "--connections", "2", "--in-flight", "1", "--warmup", "0ms", "--duration", "100ms"];

    private readonly string _folder = Directory.CreateTempSubdirectory("mux-identity-").FullName;
    private readonly string _variable = $"MUX_TEST_{Guid.NewGuid():N}";
    private readonly string _key = Convert.ToBase64String(RandomNumberGenerator.GetBytes(SharedKey.MinLength));

    public void Dispose()
    {
        Environment.SetEnvironmentVariable(_variable, null);
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public async Task A_load_shows_a_shared_key_of_a_file()
    {
        await using var server = Start(Plain());

        await AssertLoads(server, "--shared-key", $"tester=file:{Write("key", $"{_key}\n")}");
    }

    [Fact]
    public async Task A_load_shows_a_shared_key_of_a_variable_over_TLS()
    {
        await using var server = Start(OverTls());
        Environment.SetEnvironmentVariable(_variable, _key);

        await AssertLoads(server, "--roots", Write("roots.pem", TestAuthority.Shared.RootPem), "--shared-key", $"tester=env:{_variable}");
    }

    [Fact]
    public async Task A_load_shows_a_token()
    {
        await using var server = Start(Plain());

        await AssertLoads(server, "--bearer", $"file:{Write("token", Token)}");
    }

    [Fact]
    public async Task A_load_shows_a_certificate()
    {
        await using var server = Start(WithCertificates());

        await AssertLoads(server, ["--roots", Write("roots.pem", TestAuthority.Shared.RootPem), .. Certificate()]);
    }

    [Fact]
    public async Task A_load_without_a_credential_is_not_let_in()
    {
        await using var server = Start(Plain());

        await AssertRefused("bench", server);
    }

    [Fact]
    public async Task A_load_with_another_key_is_not_let_in()
    {
        await using var server = Start(Plain());
        var other = Convert.ToBase64String(RandomNumberGenerator.GetBytes(SharedKey.MinLength));

        await AssertRefused("bench", server, "--shared-key", $"tester=file:{Write("key", other)}");
    }

    [Fact]
    public async Task A_load_without_a_certificate_is_not_let_in()
    {
        await using var server = Start(WithCertificates());

        await AssertRefused("bench", server, "--roots", Write("roots.pem", TestAuthority.Shared.RootPem));
    }

    [Fact]
    public async Task Cases_are_played_behind_a_shared_key_and_before_it()
    {
        await using var server = Start(OverTls());

        var result = await ToolProcess.RunCatalogueAsync(
            "spec", server.Address.ToString(), "--roots", Write("roots.pem", TestAuthority.Shared.RootPem), "--split", "whole", "--shared-key", $"tester=file:{Write("key", _key)}");

        Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
        var passed = result.Output.SkipWhile(row => !row.StartsWith("Passed", StringComparison.Ordinal)).TakeWhile(row => row.Length > 0).ToList();
        Assert.Contains(passed, row => row.EndsWith(" A_request_without_a_body", StringComparison.Ordinal));
        Assert.Contains(passed, row => row.EndsWith(" A_call_before_authentication", StringComparison.Ordinal));
        Assert.DoesNotContain(result.Output, row => row.Contains("demands authentication", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Cases_are_played_behind_a_token()
    {
        await using var server = Start(Plain());
        Environment.SetEnvironmentVariable(_variable, Token);

        await AssertPlays(server, "--bearer", $"env:{_variable}");
    }

    [Fact]
    public async Task Cases_are_played_behind_a_certificate()
    {
        await using var server = Start(WithCertificates());

        await AssertPlays(server, ["--roots", Write("roots.pem", TestAuthority.Shared.RootPem), .. Certificate()]);
    }

    [Fact]
    public async Task Without_a_credential_no_case_is_played()
    {
        await using var server = Start(Plain());

        Assert.Contains("It requires authentication: use --shared-key or --bearer.", await AssertRefused("spec", server), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Without_a_credential_the_options_of_the_command_are_named_and_not_those_of_the_library()
    {
        await using var server = Start(Plain());

        var bench = await ToolInside.RunAsync("bench", server.Address.ToString());
        var ping = await ToolInside.RunAsync("ping", server.Address.ToString(), "-n", "1");

        Assert.EndsWith(" Give a --shared-key or a --bearer.", Assert.Single(bench.Errors), StringComparison.Ordinal);
        Assert.EndsWith(" Give a --shared-key or a --bearer.", ping.Output[0], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("health")]
    [InlineData("ls")]
    [InlineData("call", "bench.Echo/Echo", "-d", "{}")]
    public async Task Commands_that_call_name_their_own_options_to_a_caller_without_a_credential(string command, params string[] more)
    {
        await using var server = Start(Plain());

        Assert.Contains("Give a --shared-key or a --bearer.", await AssertRefused(command, server, more), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_call_whose_contract_comes_from_a_file_names_the_options_of_the_command_too()
    {
        await using var server = Start(Plain());
        var proto = Write("echo.proto", "syntax = \"proto3\"; package bench; message Note { } service Echo { rpc Echo (Note) returns (Note); }");

        var call = await ToolInside.RunAsync("call", server.Address.ToString(), "bench.Echo/Echo", "-d", "{}", "--proto", proto);

        Assert.EndsWith(" Give a --shared-key or a --bearer.", call.Errors[0], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false, "key")]
    [InlineData(false, "token")]
    [InlineData(true, "key")]
    [InlineData(true, "certificate")]
    public async Task A_probe_shows_a_credential(bool isTls, string credential)
    {
        await using var server = Start(credential == "certificate" ? WithCertificates() : isTls ? OverTls() : Plain());
        string[] shown = credential switch
        {
            "key" => ["--shared-key", $"tester=file:{Write("key", _key)}"],
            "token" => ["--bearer", $"file:{Write("token", Token)}"],
            _ => Certificate(),
        };
        if (isTls) shown = ["--roots", Write("roots.pem", TestAuthority.Shared.RootPem), .. shown];

        await AssertProbes(server, shown);
    }

    [Fact]
    public async Task A_probe_needs_no_credential_where_anonymous_clients_may_connect()
    {
        var options = Plain();
        options.Identity!.AllowAnonymous = true;
        await using var server = Start(options);

        await AssertProbes(server);
    }

    [Fact]
    public async Task Without_a_certificate_the_option_of_the_command_is_named()
    {
        await using var server = Start(WithCertificates());

        var result = await ToolInside.RunAsync("bench", server.Address.ToString(), "--roots", Write("roots.pem", TestAuthority.Shared.RootPem));

        Assert.Contains("the tool has none: give a --certificate", Assert.Single(result.Errors), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Nobody_in_particular_plays_what_needs_no_method()
    {
        var options = Plain();
        options.Identity!.AllowAnonymous = true;
        await using var server = Start(options);

        var result = await ToolInside.RunAsync("spec", server.Address.ToString(), "--filter", "A_CANCEL", "--split", "whole");

        Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
        var text = string.Join(' ', result.Output.Select(row => row.Trim()));
        Assert.Contains("69  A_CANCEL_of_a_call_that_was_never_made", text, StringComparison.Ordinal);
        Assert.Contains("which the peer does not let this side call", text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_scheme_that_the_server_does_not_take_is_told()
    {
        var options = Plain();
        options.Identity!.Authenticators.Clear();
        await using var server = Start(options);

        Assert.Contains("The server accepts the schemes 'shared-key'", await AssertRefused("spec", server, "--bearer", $"file:{Write("token", Token)}"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--shared-key", "c2VjcmV0")]
    [InlineData("--shared-key", "tester=c2VjcmV0")]
    [InlineData("--bearer", "c2VjcmV0")]
    public async Task A_secret_on_the_command_line_is_refused_and_not_repeated(string option, string value)
    {
        var result = await ToolInside.RunAsync("bench", "mux://127.0.0.1:1", option, value);

        Assert.True(result.ExitCode == ExitCode.Usage, result.ToString());
        Assert.Contains($"mux bench: {option}: expected ", Assert.Single(result.Errors), StringComparison.Ordinal);
        Assert.DoesNotContain("c2VjcmV0", result.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--token", "c2VjcmV0")]
    [InlineData("--token=c2VjcmV0")]
    [InlineData("--token:c2VjcmV0")]
    [InlineData("-tc2VjcmV0")]
    public async Task A_secret_behind_an_option_that_there_is_not_is_not_repeated(params string[] arguments)
    {
        var result = await ToolInside.RunAsync(["bench", "mux://127.0.0.1:1", .. arguments]);

        Assert.True(result.ExitCode == ExitCode.Usage, result.ToString());
        Assert.Contains("mux bench: Unknown option '-", Assert.Single(result.Errors), StringComparison.Ordinal);
        Assert.DoesNotContain("c2VjcmV0", result.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_key_that_is_none_is_told_and_not_repeated()
    {
        var result = await ToolInside.RunAsync("spec", "mux://127.0.0.1:1", "--shared-key", $"tester=file:{Write("key", "c2VjcmV0")}");

        Assert.True(result.ExitCode == ExitCode.Usage, result.ToString());
        Assert.Equal("mux spec: --shared-key: The key 'tester' is 6 bytes long: expected 32 to 1024.", Assert.Single(result.Errors));
    }

    [Fact]
    public async Task A_key_of_zeros_is_told_and_not_repeated()
    {
        var result = await ToolInside.RunAsync("bench", "mux://127.0.0.1:1", "--shared-key", $"tester=file:{Write("key", Convert.ToBase64String(new byte[32]))}");

        Assert.True(result.ExitCode == ExitCode.Usage, result.ToString());
        Assert.Equal("mux bench: --shared-key: The key 'tester' has 1 distinct byte values; at least 16 are needed: use random bytes, such as those of 'openssl rand -base64 32'.", Assert.Single(result.Errors));
    }

    private static MuxServer Start(MuxServerOptions options)
    {
        var server = new MuxServer(options).AddService<IEcho>(new EchoService()).AddService<ISpec>(new SpecService()).AddService<IMessages>(new MessageService());
        server.Start();
        return server;
    }

    private static MuxServerOptions WithCertificates()
    {
        var tls = TlsTransports.Server();
        tls.TrustedRoots = TestAuthority.Shared.Roots;
        tls.Revocation = X509RevocationMode.NoCheck;
        return new MuxServerOptions { Address = "muxs://localhost:0", Tls = tls };
    }

    private static async Task AssertLoads(MuxServer server, params string[] options)
    {
        var result = await ToolInside.RunAsync(["bench", server.Address.ToString(), .. s_shortLoad, .. options]);

        Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
    }

    private static async Task AssertPlays(MuxServer server, params string[] options)
    {
        var result = await ToolInside.RunAsync(["spec", server.Address.ToString(), "--filter", "A_request_with", "--split", "whole", .. options]);

        Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
        Assert.Contains(result.Output, row => row.StartsWith("Passed, by reaction: ", StringComparison.Ordinal));
    }

    private static async Task AssertProbes(MuxServer server, params string[] options)
    {
        var ping = await ToolInside.RunAsync(["ping", server.Address.ToString(), "-n", "2", "-i", "1ms", "-q", .. options]);
        var health = await ToolInside.RunAsync(["health", server.Address.ToString(), .. options]);

        Assert.True(ping.ExitCode == ExitCode.Success, ping.ToString());
        Assert.True(health.ExitCode == ExitCode.Success, health.ToString());
        Assert.Equal("serving", Assert.Single(health.Output));
    }

    private static async Task<string> AssertRefused(string command, MuxServer server, params string[] options)
    {
        var result = await ToolInside.RunAsync([command, server.Address.ToString(), .. options]);

        Assert.True(result.ExitCode == ExitCode.Unreachable, result.ToString());
        Assert.Empty(result.Output);
        return Assert.Single(result.Errors);
    }

    private MuxServerOptions Plain() => new() { Address = "mux://127.0.0.1:0", Identity = Identity() };

    private MuxServerOptions OverTls() => new() { Address = "muxs://localhost:0", Tls = TlsTransports.Server(), Identity = Identity() };

    private MuxIdentityOptions Identity()
    {
        var identity = new MuxIdentityOptions();
        identity.SharedKeys.Add(SharedKey.FromBase64("tester", _key));
        identity.Authenticators.Add(new BearerAuthenticator((token, _) => new(
            token == Token ? AuthenticationResult.Success(new PeerIdentity(new ClaimsPrincipal(new ClaimsIdentity([new Claim(ClaimTypes.Name, "tester")], "test")))) : AuthenticationResult.Fail("another token"))));
        return identity;
    }

    private string[] Certificate()
    {
        using var certificate = TestAuthority.Shared.Issue(CertificateWish.Client);
        using var key = certificate.GetECDsaPrivateKey()!;
        return ["--certificate", Write("client.crt", certificate.ExportCertificatePem()), "--key", Write("client.key", key.ExportPkcs8PrivateKeyPem())];
    }

    private string Write(string name, string content)
    {
        var path = Path.Combine(_folder, name);
        File.WriteAllText(path, content);
        return path;
    }
}
