// TLS with certificates on both sides, and a new one while the server runs: dotnet run -c Release
using System.Security.Cryptography.X509Certificates;
using Mux;
using Mux.Transports.Tls;
using Tls;

using var authority = new Authority();
var folder = Directory.CreateTempSubdirectory("mux-tls-");
var (roots, serverPath, clientPath) = (Path.Combine(folder.FullName, "roots.pem"), Path.Combine(folder.FullName, "server.pem"), Path.Combine(folder.FullName, "client.pem"));
authority.WriteRoot(roots);
authority.WriteCertificate(serverPath, Authority.ServerUsage);
authority.WriteCertificate(clientPath, Authority.ClientUsage);

await using var server = new MuxServer(new MuxServerOptions
{
    Address = "muxs://127.0.0.1:0",
    Tls = new TlsServerOptions { CertificatePath = serverPath, TrustedRootsPath = roots, Revocation = X509RevocationMode.NoCheck },
}).AddService<IVault>(new Vault());
server.Start();

await TellAsync("With a certificate of these roots:", new TlsClientOptions { TrustedRootsPath = roots, CertificatePath = clientPath });
await TellAsync("Without one:", new TlsClientOptions { TrustedRootsPath = roots });
await TellAsync("Trusting what the system trusts:", new TlsClientOptions { CertificatePath = clientPath });

authority.WriteCertificate(serverPath, Authority.ServerUsage);
await Task.Delay(TimeSpan.FromSeconds(1.1)); // the file is looked at once a second
await TellAsync("After the server's certificate was replaced:", new TlsClientOptions { TrustedRootsPath = roots, CertificatePath = clientPath });
folder.Delete(recursive: true);

async Task TellAsync(string title, TlsClientOptions tls)
{
    Console.WriteLine(title);
    try
    {
        await using var channel = MuxChannel.Create(new MuxChannelOptions { Address = server.Address.ToString(), Tls = tls });
        Console.WriteLine($"  {await channel.CreateProxy<IVault>().Open(7, new CancellationTokenSource(TimeSpan.FromSeconds(5)).Token)}\n");
    }
    catch (MuxException e)
    {
        Console.WriteLine($"  {e.Status}: {e.Message}\n");
    }
}
