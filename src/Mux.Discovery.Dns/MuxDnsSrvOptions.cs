using System.Net;

namespace Mux.Discovery.Dns;

/// <summary>Options of <see cref="DnsSrvEndpoints"/>. Read when the source is created; later changes have no effect.</summary>
public sealed class MuxDnsSrvOptions
{
    /// <summary>Gets the name servers to ask, in their order. With entries here, the name servers of the system are not asked.</summary>
    /// <value>Empty by default: those of the system. Search domains of the system are not used, so names must be complete.</value>
    public IList<IPEndPoint> NameServers { get; } = [];

    /// <summary>Gets or sets the time that a name server has to answer. Each query is tried twice.</summary>
    /// <value>10 ms to 1 minute; 2 s by default.</value>
    public TimeSpan QueryTimeout { get; set; } = TimeSpan.FromSeconds(2);

    /// <summary>Finds all options that are invalid.</summary>
    /// <returns>One failure for each invalid option, with its name, its value and the allowed values.</returns>
    public IEnumerable<OptionFailure> Validate()
    {
        if (NameServers.Any(server => server is null || server.Port == 0))
            yield return new OptionFailure(nameof(NameServers), "a name server is null or has the port 0: expected an IP address and a port, usually 53.");
        if (QueryTimeout < TimeSpan.FromMilliseconds(10) || QueryTimeout > TimeSpan.FromMinutes(1))
            yield return OptionFailure.OutOfRange(nameof(QueryTimeout), QueryTimeout, "00:00:00.010 to 00:01:00");
    }

    /// <exception cref="ArgumentException">At least one option is invalid; the message names all of them.</exception>
    internal void ThrowIfInvalid(string parameter)
    {
        var failures = Validate().ToList();
        if (failures.Count > 0) throw new ArgumentException($"{nameof(MuxDnsSrvOptions)}: {string.Join(" ", failures)}", parameter);
    }
}
