using System.Globalization;
using System.Security.Cryptography.X509Certificates;
using k8s;

namespace Mux.Discovery.Kubernetes.Api;

/// <summary>What Kubernetes gives each pod to reach the API server: environment variables, and files that it replaces while the pod runs.</summary>
/// <param name="Host">The host of the API server; null or empty outside of a cluster.</param>
/// <param name="Port">Its port.</param>
/// <param name="Folder">The folder with the files <c>token</c>, <c>ca.crt</c> and <c>namespace</c>.</param>
internal sealed record ServiceAccount(string? Host, string? Port, string Folder)
{
    private const string MountPath = "/var/run/secrets/kubernetes.io/serviceaccount";

    /// <summary>True if this process runs in a pod whose account is mounted.</summary>
    public bool IsMounted => !string.IsNullOrEmpty(Host) && !string.IsNullOrEmpty(Port) && File.Exists(TokenPath);

    private string TokenPath => Path.Combine(Folder, "token");

    public static ServiceAccount OfThisPod() => new(
        Environment.GetEnvironmentVariable("KUBERNETES_SERVICE_HOST"), Environment.GetEnvironmentVariable("KUBERNETES_SERVICE_PORT"), MountPath);

    /// <summary>Reads the files, but for the token, which each request reads when it is due.</summary>
    /// <exception cref="IOException">A file cannot be read.</exception>
    /// <exception cref="InvalidDataException">There is no certificate authority: the roots of the system would be trusted in its place.</exception>
    /// <exception cref="InvalidOperationException">The port is no number.</exception>
    public KubernetesClientConfiguration Load(TimeProvider time)
    {
        if (!int.TryParse(Port, NumberStyles.None, CultureInfo.InvariantCulture, out int port))
            throw new InvalidOperationException($"KUBERNETES_SERVICE_PORT is '{Port}': expected a number from 1 to 65535.");
        var rootsPath = Path.Combine(Folder, "ca.crt");
        var roots = new X509Certificate2Collection();
        roots.ImportFromPemFile(rootsPath);
        if (roots.Count == 0)
            throw new InvalidDataException($"The file '{rootsPath}' contains no certificate: expected the authority of the API server, as PEM.");
        var namespacePath = Path.Combine(Folder, "namespace");
        return new KubernetesClientConfiguration
        {
            Host = new UriBuilder("https", Host, port).ToString(),
            SslCaCerts = roots,
            Namespace = File.Exists(namespacePath) ? File.ReadAllText(namespacePath) : null,
            TokenProvider = new TokenFile(TokenPath, time),
        };
    }
}
