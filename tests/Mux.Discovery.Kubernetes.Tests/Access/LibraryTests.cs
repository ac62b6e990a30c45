using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using k8s;
using k8s.Models;
using Mux.TestSupport.Transports;
using Mux.TestSupport.Transports.Tls;

namespace Mux.Discovery.Kubernetes.Tests.Access;

/// <summary>Why connections and watches of KubernetesClient are not used. If one of these fails, the library has changed: then its README here should, too.</summary>
public sealed class LibraryTests
{
    [Fact]
    public void It_accepts_a_certificate_of_the_authority_whatever_its_name_is()
    {
        using var certificate = TestAuthority.Shared.Issue(new CertificateWish { Host = "kubelet.example" });
        using var chain = new X509Chain();
        bool isAccepted = k8s.Kubernetes.CertificateValidationCallBack(
            this, TestAuthority.Shared.Roots, certificate, chain, SslPolicyErrors.RemoteCertificateChainErrors | SslPolicyErrors.RemoteCertificateNameMismatch);
        Assert.True(isAccepted);
    }

    [Fact]
    public async Task Its_watch_reads_on_after_410_as_if_events_would_follow()
    {
        var read = new Counter("lines that the library has read");
        using var watcher = new Watcher<V1EndpointSlice>(() => Task.FromResult<TextReader>(new GoneThenSilence(read)), (_, _) => Assert.Fail("There is no event."), onError: _ => { });
        await read.ReachAsync(2);
        Assert.True(watcher.Watching);
    }

    /// <summary>An API server that has said 410 Gone, on a connection that stays open.</summary>
    private sealed class GoneThenSilence(Counter read) : TextReader
    {
        private int _lines;

        public override Task<string?> ReadLineAsync()
        {
            read.Add();
            return _lines++ == 0 ? Task.FromResult<string?>(Server.SliceText.Gone) : new TaskCompletionSource<string?>(TaskCreationOptions.RunContinuationsAsynchronously).Task;
        }
    }
}
