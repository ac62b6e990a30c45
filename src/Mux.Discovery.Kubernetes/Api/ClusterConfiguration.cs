using k8s;

namespace Mux.Discovery.Kubernetes.Api;

/// <summary>Finds out which cluster to ask, and as whom.</summary>
internal static class ClusterConfiguration
{
    /// <summary>
    /// Loads the service account of this pod, or else the kubeconfig files. The library prefers kubeconfig files, and without any asks localhost: a pod should
    /// be what its service account says, and a machine without either should say so.
    /// </summary>
    /// <exception cref="InvalidOperationException">There is neither.</exception>
    public static KubernetesClientConfiguration Find(ServiceAccount account, TimeProvider time)
    {
        if (account.IsMounted) return account.Load(time);
        if (Environment.GetEnvironmentVariable("KUBECONFIG") is null && !File.Exists(KubernetesClientConfiguration.KubeConfigDefaultLocation))
        {
            throw new InvalidOperationException("There is no cluster to ask. Expected a pod with a mounted service account (KUBERNETES_SERVICE_HOST, "
                + $"KUBERNETES_SERVICE_PORT and {account.Folder}/token; see automountServiceAccountToken), the environment variable KUBECONFIG, or the file "
                + $"{KubernetesClientConfiguration.KubeConfigDefaultLocation}.");
        }

        return KubernetesClientConfiguration.BuildDefaultConfig();
    }
}
