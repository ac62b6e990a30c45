using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;

namespace Mux.TestSupport.Transports.Tls;

/// <summary>Serves the revoked certificates of an authority over HTTP, on loopback, and counts who asks.</summary>
public sealed class RevocationList : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly Func<IReadOnlyList<X509Certificate2>, byte[]> _sign;
    private readonly List<X509Certificate2> _revoked = [];

    public RevocationList(TestAuthority authority)
    {
        _sign = authority.SignRevocationList;
        _listener.Start();
        Address = $"http://127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port}/{Guid.NewGuid():N}.crl";
        _ = ServeAsync();
    }

    /// <summary>What a certificate has to name.</summary>
    public string Address { get; }

    public Counter Requests { get; } = new("requests for the list");

    /// <summary>Before anybody asks: systems keep what they were told.</summary>
    public void Revoke(X509Certificate2 certificate) => _revoked.Add(certificate);

    public void Dispose() => _listener.Dispose();

    private async Task ServeAsync()
    {
        try
        {
            while (true)
            {
                using var client = await _listener.AcceptTcpClientAsync();
                await using var stream = client.GetStream();
                var request = new byte[4096];
                int length = 0;
                while (length < 4 || !request.AsSpan(0, length).EndsWith("\r\n\r\n"u8))
                {
                    int count = await stream.ReadAsync(request.AsMemory(length));
                    if (count == 0) break;
                    length += count;
                }

                Requests.Add();
                var list = _sign(_revoked);
                await stream.WriteAsync(System.Text.Encoding.ASCII.GetBytes($"HTTP/1.1 200 OK\r\nContent-Type: application/pkix-crl\r\nContent-Length: {list.Length}\r\nConnection: close\r\n\r\n"));
                await stream.WriteAsync(list);
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException or IOException)
        {
            // The end of the test.
        }
    }
}
