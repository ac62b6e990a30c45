namespace Mux.Discovery.Dns.Tests;

/// <summary>What a scripted name server answers to one question.</summary>
internal sealed record DnsReply(params DnsRecord[] Answers)
{
    public const int ServerFailure = 2;
    public const int NoSuchName = 3;

    public DnsRecord[] Additionals { get; init; } = [];

    public int Code { get; init; }

    /// <summary>True for a server that says nothing.</summary>
    public bool IsSilent { get; init; }

    /// <summary>True for an answer that is too long for a datagram, and comes by TCP.</summary>
    public bool IsLong { get; init; }

    /// <summary>True for one that answers with nonsense.</summary>
    public bool IsGarbage { get; init; }

    /// <summary>True for one whose id is not that of the question.</summary>
    public bool IsOfAnotherQuery { get; init; }
}
