using System.Security.Cryptography.X509Certificates;
using System.Text;
using Mux.Discovery.Etcd.Protocol;

namespace Mux.Discovery.Etcd;

/// <summary>How to reach etcd. Read when a source or a registry is created; later changes have no effect.</summary>
public class EtcdOptions
{
    /// <summary>Gets or sets the user of etcd, if authentication is enabled there.</summary>
    /// <value>Null by default. Set it together with <see cref="Password"/>. A cluster without authentication ignores both.</value>
    public string? User { get; set; }

    /// <summary>Gets or sets the password of <see cref="User"/>. It is never logged.</summary>
    /// <value>Null by default.</value>
    public string? Password { get; set; }

    /// <summary>
    /// Gets or sets a value indicating whether the password may be sent without TLS to another machine, at a <c>mux+etcd</c> address. A host name counts as
    /// another machine unless it is <c>localhost</c>.
    /// </summary>
    /// <value>False by default: such options are rejected.</value>
    public bool AllowPlaintext { get; set; }

    /// <summary>Gets or sets the prefix of the keys, without the slash that separates it from the name of a server.</summary>
    /// <value>Null by default: the path of the address, with its leading slash. Set it for keys that do not start with a slash; the address then has no
    /// path. 1 to 512 characters.</value>
    public string? Prefix { get; set; }

    /// <summary>
    /// Gets or sets the certificate, with its private key, that is presented to etcd at a <c>mux+etcds</c> address, for clusters started with
    /// <c>--client-cert-auth</c>. It opens the connection only: the HTTP interface of etcd does not derive a user from it, so set <see cref="User"/> as well if
    /// authentication is enabled.
    /// </summary>
    /// <value>Null by default. The caller owns it and must not dispose it while a source or registry is in use.</value>
    public X509Certificate2? Certificate { get; set; }

    /// <summary>Gets or sets the roots that are trusted for the certificates of the members of etcd, at a <c>mux+etcds</c> address.</summary>
    /// <value>Null by default: the roots of the system.</value>
    public X509Certificate2Collection? TrustedRoots { get; set; }

    /// <summary>Finds all options that are invalid.</summary>
    /// <param name="target">The address for which they are.</param>
    internal virtual IEnumerable<OptionFailure> Validate(EtcdTarget target)
    {
        if (User is { Length: 0 }) yield return new OptionFailure(nameof(User), "it is empty: expected a name, or null.");
        if (User is null && Password is not null) yield return new OptionFailure(nameof(User), "missing, although Password is set.");
        if (User is not null && Password is null) yield return new OptionFailure(nameof(Password), "missing, although User is set.");
        if (User is not null && !AllowPlaintext && target.FindPlaintextOnNetwork() is { } member)
            yield return new OptionFailure(nameof(AllowPlaintext), $"the password would be sent to {member} without encryption: use a " +
                $"{EtcdTarget.TlsScheme} address, or set AllowPlaintext to true in a network that you trust.");
        if (Prefix is not null && target.Path.Length > 0)
            yield return new OptionFailure(nameof(Prefix), $"'{Prefix}' is set, and {target} has the path '{target.Path}': use only one of them.");
        if (Prefix is null && target.Path.Length == 0)
            yield return new OptionFailure(nameof(Prefix), $"missing: {target} has no path. Expected {EtcdTarget.Expected}.");
        if (Prefix is not null && !EtcdTarget.IsPrefix(Prefix)) yield return OptionFailure.OutOfRange(nameof(Prefix), Prefix, EtcdTarget.AllowedPrefix);
        if (Certificate is { HasPrivateKey: false })
            yield return new OptionFailure(nameof(Certificate), $"the certificate of '{Certificate.Subject}' has no private key.");
        if (TrustedRoots is { Count: 0 }) yield return new OptionFailure(nameof(TrustedRoots), "it contains no certificate: leave it null, or add one.");
        if (target.IsEncrypted) yield break;
        if (Certificate is not null) yield return new OptionFailure(nameof(Certificate), WithoutTls(target));
        if (TrustedRoots is not null) yield return new OptionFailure(nameof(TrustedRoots), WithoutTls(target));
    }

    /// <summary>Checks the options and the address.</summary>
    /// <exception cref="ArgumentException">The address or an option is invalid; the message names all of them.</exception>
    internal void ThrowIfInvalid(string target) => _ = ToCluster(target, time: null);

    /// <summary>Checks the options and the address, and keeps what they are now.</summary>
    /// <exception cref="ArgumentException">The address or an option is invalid; the message names all of them.</exception>
    internal EtcdCluster ToCluster(string target, TimeProvider? time)
    {
        ArgumentNullException.ThrowIfNull(target);
        if (!EtcdTarget.TryParse(target, out var parsed, out var error)) throw new ArgumentException(error, nameof(target));
        var failures = Validate(parsed).ToList();
        if (failures.Count > 0) throw new ArgumentException($"{GetType().Name}: {string.Join(" ", failures)}");
        var prefix = (Prefix ?? parsed.Path).TrimEnd('/');
        return new EtcdCluster
        {
            Name = parsed.Describe(prefix),
            Members = parsed.Members,
            KeyPrefix = Encoding.UTF8.GetBytes(prefix + '/'),
            User = User,
            Password = Password,
            Certificate = Certificate,
            TrustedRoots = TrustedRoots is { } roots ? [.. roots] : null,
            Time = time ?? TimeProvider.System,
        };
    }

    private static string WithoutTls(EtcdTarget target) => $"it has no effect, because {target} is not a {EtcdTarget.TlsScheme} address.";
}
