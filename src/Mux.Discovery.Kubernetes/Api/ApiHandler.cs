using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using k8s;

namespace Mux.Discovery.Kubernetes.Api;

/// <summary>
/// Makes connections to an API server as a configuration says. The handler of KubernetesClient is not used: with a certificate authority of its own, as every
/// cluster has, it accepts certificates for any host name.
/// </summary>
internal static class ApiHandler
{
    private static readonly TimeSpan s_connectTimeout = TimeSpan.FromSeconds(10);

    public static SocketsHttpHandler Create(KubernetesClientConfiguration configuration)
    {
        var handler = new SocketsHttpHandler { ConnectTimeout = s_connectTimeout, AllowAutoRedirect = false, UseCookies = false };
        if (configuration.SkipTlsVerify)
        {
#pragma warning disable CA5359 // the kubeconfig file says insecure-skip-tls-verify
            handler.SslOptions.RemoteCertificateValidationCallback = static (_, _, _, _) => true;
#pragma warning restore CA5359
        }
        else if (configuration.SslCaCerts is { Count: > 0 } roots)
        {
            var policy = new X509ChainPolicy { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
            policy.CustomTrustStore.AddRange(roots);
            handler.SslOptions.CertificateChainPolicy = policy; // names are still checked
        }

        if (ClientCertificate(configuration) is { } certificate)
            handler.SslOptions.ClientCertificateContext = SslStreamCertificateContext.Create(certificate, additionalCertificates: null);
        configuration.FirstMessageHandlerSetup?.Invoke(handler);
        return handler;
    }

    private static X509Certificate2? ClientCertificate(KubernetesClientConfiguration configuration)
    {
        var certificate = Pem(configuration.ClientCertificateData, configuration.ClientCertificateFilePath);
        var key = Pem(configuration.ClientCertificateKeyData, configuration.ClientKeyFilePath);
        if (certificate is null || key is null) return null;
        var loaded = X509Certificate2.CreateFromPem(certificate, key);
        if (!OperatingSystem.IsWindows()) return loaded;
        using (loaded) return X509CertificateLoader.LoadPkcs12(loaded.Export(X509ContentType.Pkcs12), password: null); // TLS on Windows needs a stored key
    }

    private static string? Pem(string? base64, string? path) => !string.IsNullOrWhiteSpace(path) ? File.ReadAllText(path)
        : !string.IsNullOrWhiteSpace(base64) ? Encoding.UTF8.GetString(Convert.FromBase64String(base64)) : null;
}
