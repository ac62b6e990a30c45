using Mux.Wire;

namespace Mux.Sessions.Incoming;

/// <summary>The content of the first frame of a request in fragments.</summary>
internal sealed record RequestStart(DefinedMethod Method, RequestHead Head, long Due, InboundExtras? Extras);
