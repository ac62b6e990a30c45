namespace Mux.Engine;

/// <summary>Decides whether a request that has come may call its method, and says why not. In the turn.</summary>
internal static class RequestAccess
{
    private const string MayNot = "The caller may not call this method.";

    private const string NoCaller = "The caller is not authenticated: the gateway named none.";

    private const string UnknownCaller = "The call came through a gateway, and the service has not chosen to believe what this gateway says of its callers: " +
        "name the user of the gateway in Identity.Gateways of the service (Mux:Server:Identity:Gateways). Until then it refuses forwarded calls of methods " +
        "that require roles or policies.";

    /// <summary>
    /// Decides about a request. A permission of the peer is remembered. A gateway calls for callers of its own, so each request that it has forwarded is looked
    /// at; if policies of the server decide, which are user code, the call gets a method that asks them where it runs.
    /// </summary>
    /// <param name="call">The call.</param>
    /// <param name="defined">The method of all requests.</param>
    /// <param name="method">The method of this request.</param>
    /// <param name="caller">The caller that the gateway names; null if there is none.</param>
    /// <returns>Ok, Unauthenticated or PermissionDenied.</returns>
    public static MuxStatus Judge(ref InboundCall call, ref DefinedMethod defined, ref DefinedMethod method, ForwardedCaller? caller)
    {
        if (method.JudgesCallers && call.IsForwarded)
        {
            if (call.Session.JudgeForwarded(method.Method.Descriptor!, caller) is { } known) return known;
            method = method.With(new JudgedMethod(method.Method, caller!) { IsOwn = method.Method.IsOwn });
            call = call with { Method = method.Method };
            return MuxStatus.Ok;
        }

        if (!method.IsGuarded) return MuxStatus.Ok;
        var status = call.Session.Judge(method.Method.Descriptor!);
        if (status == MuxStatus.Ok) defined.Unguard();
        return status;
    }

    /// <summary>Gets the message for the caller of a request that is refused.</summary>
    public static string TextOf(in InboundCall call, MuxStatus status)
    {
        bool isNamed = call.IsForwarded && call.Session.Access is { IsGateway: true };
        if (status == MuxStatus.Unauthenticated) return isNamed ? NoCaller : "The caller is not authenticated.";
        return call.IsForwarded && !isNamed ? UnknownCaller : MayNot;
    }
}
