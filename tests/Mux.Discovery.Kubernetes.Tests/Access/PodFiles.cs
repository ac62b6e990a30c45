using Mux.Discovery.Kubernetes.Api;
using Mux.TestSupport.Transports.Tls;

namespace Mux.Discovery.Kubernetes.Tests.Access;

/// <summary>The files that Kubernetes mounts into a pod, in a folder that is deleted at the end.</summary>
internal sealed class PodFiles : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("mux-k8s-");

    public PodFiles(string? space = "prod\n")
    {
        Write("ca.crt", TestAuthority.Shared.RootPem);
        if (space is not null) Write("namespace", space);
        Token = "token-1";
    }

    /// <summary>Sets what the kubelet has written last.</summary>
    public string Token
    {
        set => Write("token", value + "\n");
    }

    public ServiceAccount AccountAt(Uri server) => new(server.Host, $"{server.Port}", _folder.FullName);

    public string PathOf(string name) => Path.Combine(_folder.FullName, name);

    public void Write(string name, string content) => File.WriteAllText(PathOf(name), content);

    public void Dispose() => _folder.Delete(recursive: true);
}
