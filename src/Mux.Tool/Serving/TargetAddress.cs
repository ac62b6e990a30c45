using System.Diagnostics.CodeAnalysis;

namespace Mux.Tool.Serving;

/// <summary>What a command calls: one address, a list of them, or a name whose addresses are all servers. Immutable.</summary>
/// <param name="Text">The text, as a channel takes it.</param>
/// <param name="Addresses">The addresses in the text; none of a name.</param>
internal sealed record TargetAddress(string Text, IReadOnlyList<MuxAddress> Addresses)
{
    private const string DnsScheme = "mux+dns";
    private const string SecureDnsScheme = "muxs+dns";
    private const string SchemeEnd = "://";

    // A name server that takes longer does not answer.
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);

    /// <summary>The address of a target with one; null if it has several, or may have.</summary>
    public MuxAddress? Single => Addresses is [var only] ? only : null;

    /// <summary>An address like those of the servers: for the scheme, the transport, and whether others could listen to its connections.</summary>
    public required MuxAddress Sample { get; init; }

    public static TargetAddress Of(MuxAddress address) => new(address.ToString(), [address]) { Sample = address };

    /// <summary>Parses a target. If it is not valid, <paramref name="error"/> says which part is wrong and what is allowed.</summary>
    public static bool TryParse(string text, [NotNullWhen(true)] out TargetAddress? target, [NotNullWhen(false)] out string? error)
    {
        target = null;
        int end = text.IndexOf(SchemeEnd, StringComparison.Ordinal);
        var scheme = end < 0 ? "" : text[..end];
        bool isName = scheme is DnsScheme or SecureDnsScheme;
        bool isPackage = scheme.Contains('+', StringComparison.Ordinal) && !MuxAddress.TryParse(text, out _, out _);
        bool isList = scheme is MuxAddress.TcpScheme or MuxAddress.TlsScheme && text.Contains(',', StringComparison.Ordinal);
        if (!isName && !isList && !isPackage)
        {
            if (MuxAddress.TryParse(text, out var address, out error)) target = Of(address);
            return target is not null;
        }

        error = new MuxChannelOptions { Address = text }.Validate().FirstOrDefault(failure => failure.Option == nameof(MuxOptions.Address))?.Text;
        if (error is not null) return false;
        var rest = text[(end + SchemeEnd.Length)..].TrimEnd('/');
        var plain = scheme is SecureDnsScheme or MuxAddress.TlsScheme ? MuxAddress.TlsScheme : MuxAddress.TcpScheme;
        MuxAddress[] all = [.. rest.Split(',').Select(item => MuxAddress.Parse($"{plain}{SchemeEnd}{item}"))];
        target = new TargetAddress(text, isName ? [] : all) { Sample = Array.Find(all, each => !IsOfThisMachine(each)) ?? all[0] };
        return true;
    }

    /// <summary>True if only this machine can listen to the connections.</summary>
    public static bool IsOfThisMachine(MuxAddress address) => address.Host.Equals("localhost", StringComparison.OrdinalIgnoreCase)
        || (System.Net.IPAddress.TryParse(address.Host, out var ip) && System.Net.IPAddress.IsLoopback(ip));

    /// <summary>Finds the endpoints: those in the text, or those that the name has now.</summary>
    /// <exception cref="ToolException">The name has none.</exception>
    public async Task<IReadOnlyList<MuxAddress>> FindEndpointsAsync(LinkOptions links, CancellationToken cancellationToken)
    {
        if (Addresses.Count > 0) return Addresses;
        var channel = MuxChannel.Create(new MuxChannelOptions
        {
            Address = Text,
            Transport = EngineChoice.MakeTransport(Sample, links),
            Credentials = links.Credentials,
            AllowPlaintext = links.AllowPlaintext,
            RequireChallenge = links.RequireChallenge,
            DrainTimeout = TimeSpan.Zero,
        });
        await using var channelEnd = channel.ConfigureAwait(false);
        string? reason = null;
        try
        {
            await channel.ConnectAsync(cancellationToken).WaitAsync(s_patience, TimeProvider.System, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception error) when (error is MuxException or TimeoutException)
        {
            reason = error is MuxException ? error.Message : $"{Text}: no answer within {s_patience.TotalSeconds} s.";
        }

        var endpoints = channel.GetEndpoints(); // known even if none of them can be reached
        if (endpoints.Count > 0) return [.. endpoints.Select(endpoint => endpoint.Endpoint.Address)];
        throw new ToolException(ExitCode.Unreachable, reason ?? $"{Text} has no endpoints.");
    }

    public override string ToString() => Text;
}
