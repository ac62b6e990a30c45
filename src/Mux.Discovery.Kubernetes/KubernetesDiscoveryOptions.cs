using k8s;

namespace Mux.Discovery.Kubernetes;

/// <summary>Options of a <see cref="KubernetesEndpointSource"/>. Read when the source is created; later changes have no effect.</summary>
public sealed class KubernetesDiscoveryOptions
{
    /// <summary>Gets or sets the IP addresses at which the channel connects.</summary>
    /// <value><see cref="KubernetesAddressFamily.Any"/> by default.</value>
    public KubernetesAddressFamily AddressFamily { get; set; }

    /// <summary>
    /// Gets or sets a function that returns the address of the API server, its certificate authority and the credentials. It is called for each new watch: when
    /// the channel starts, and after each failure. Load the configuration from its files in the function, so that new files are read.
    /// </summary>
    /// <value>
    /// Null by default. The source then uses the service account of its pod. Outside of a cluster it uses the current context of the kubeconfig files: those in
    /// the environment variable <c>KUBECONFIG</c>, or <c>~/.kube/config</c>.
    /// </value>
    public Func<KubernetesClientConfiguration>? Configuration { get; set; }

    /// <summary>Finds options that are invalid.</summary>
    /// <returns>One failure for each invalid option, with its name, its value and the allowed values.</returns>
    public IEnumerable<OptionFailure> Validate()
    {
        if (!Enum.IsDefined(AddressFamily)) yield return OptionFailure.OutOfRange(nameof(AddressFamily), AddressFamily, "Any, IPv4 or IPv6");
    }

    /// <exception cref="ArgumentException">An option is invalid.</exception>
    internal void ThrowIfInvalid(string parameter)
    {
        var failures = Validate().ToList();
        if (failures.Count > 0) throw new ArgumentException($"{nameof(KubernetesDiscoveryOptions)}: {string.Join(" ", failures)}", parameter);
    }
}
