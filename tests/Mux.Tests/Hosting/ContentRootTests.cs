using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;
using Mux.TestSupport.Transports.Tls;

namespace Mux.Tests.Hosting;

/// <summary>Files that a configuration names, where the content root of the host is not the working directory.</summary>
public sealed class ContentRootTests : HostingTests, IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("mux-root-").FullName;

    [Fact(Timeout = TestLimit)]
    public async Task Certificates_of_the_configuration_are_found_in_the_content_root()
    {
        using var certificate = TestAuthority.Shared.Issue(CertificateWish.Server);
        Directory.CreateDirectory(Path.Combine(_folder, "tls"));
        await File.WriteAllTextAsync(Path.Combine(_folder, "tls", "server.pem"), certificate.ExportCertificatePem(), TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(Path.Combine(_folder, "server.key"), certificate.GetECDsaPrivateKey()!.ExportPkcs8PrivateKeyPem(), TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(Path.Combine(_folder, "roots.pem"), TestAuthority.Shared.RootPem, TestContext.Current.CancellationToken);
        var builder = NewHostHere(
            ("Mux:Server:Address", "muxs://127.0.0.1:0"), ("Mux:Server:Tls:CertificatePath", "tls/server.pem"), ("Mux:Server:Tls:CertificateKeyPath", "server.key"),
            ("Mux:Server:Tls:TrustedRootsPath", "roots.pem"), ("Mux:Server:Tls:Revocation", "NoCheck"));
        builder.Services.AddMuxServer().AddService<IDesk, Desk>();
        await using var host = await StartAsync(builder);
        Assert.Equal(MuxServerState.Serving, host.Services.GetRequiredService<MuxServer>().State);
    }

    [Fact]
    public void Rooted_paths_and_those_in_code_are_left_as_they_are()
    {
        string rooted = Path.Combine(Path.GetTempPath(), "roots.pem");
        var builder = NewHostHere(("Mux:Clients:Default:Tls:TrustedRootsPath", rooted), ("Mux:Clients:Default:Tls:CertificatePath", "mine.pem"));
        builder.Services.AddMuxClient("muxs://127.0.0.1:1", options => options.Tls!.CertificateKeyPath = "mine.key");
        using var host = builder.Build();
        var options = new MuxChannelOptions();
        foreach (var configure in host.Services.GetServices<IConfigureOptions<MuxChannelOptions>>()) configure.Configure(options); // without the validation, which would look for the files
        Assert.Equal((rooted, Path.Combine(_folder, "mine.pem"), "mine.key"), (options.Tls!.TrustedRootsPath, options.Tls.CertificatePath, options.Tls.CertificateKeyPath));
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private HostApplicationBuilder NewHostHere(params (string Key, string Value)[] configuration)
    {
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings { ContentRootPath = _folder });
        builder.Configuration.AddInMemoryCollection(configuration.Select(entry => KeyValuePair.Create<string, string?>(entry.Key, entry.Value)));
        return builder;
    }
}
