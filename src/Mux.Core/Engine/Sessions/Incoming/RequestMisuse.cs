namespace Mux.Engine;

/// <summary>
/// Counts what is wrong with the requests of a peer, and says when it is too much. Turn only.
/// </summary>
/// <remarks>
/// What a gateway forwards does not count here: it comes from its clients, and an end of its connection would fail the calls of all of them. The gateway
/// counts it against the client that has sent it. A peer that only says that it is a gateway gains nothing: each such refusal costs less than a call that
/// runs, nothing is decoded for it, and the peer may make as many calls as it likes anyway.
/// </remarks>
internal sealed class RequestMisuse(Session session, PeerBudgets budgets)
{
    /// <summary>Message for the caller of a method that is refused for a while.</summary>
    public const string TooManyUndecodable =
        "Too many requests on the connection on which this one came to the server could not be decoded (Limits.MisusedRequests): requests of this method are " +
        "refused for a second.";

    /// <summary>
    /// Counts a request that is refused for its method or its length, once per definition. A peer with another version of the contract makes the same mistake
    /// in each call. Refusing it costs less than a call that runs, and nothing is decoded.
    /// </summary>
    public BudgetBreach? Count(ref DefinedMethod method, bool isForwarded) => method.TryCharge() && !isForwarded ? budgets.OnMisuse() : null;

    /// <summary>Counts a request with more metadata than this side accepts. No gateway forwards one: it knows what is accepted.</summary>
    public BudgetBreach? CountMetadata() => budgets.OnMetadataMisuse();

    /// <summary>
    /// Counts what was found after its request had started: some could not be decoded, and methods are absent at the service behind this gateway, which counts
    /// as if they were absent here.
    /// </summary>
    /// <param name="methods">The methods of the peer, by ordinal.</param>
    public BudgetBreach? TakeNewsLocked(Span<DefinedMethod> methods)
    {
        session.AssertLocked();
        while (budgets.TryTakeUndecodableLocked(out ushort suspect)) methods[suspect].Suspect();
        BudgetBreach? breach = null;
        while (session.News.TryTakeAbsent(out ushort absent))
        {
            if (Count(ref methods[absent], isForwarded: false) is { } found) breach ??= found;
        }

        return breach;
    }
}
