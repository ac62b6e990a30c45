using Mux.Wire;

namespace Mux.Sessions.Incoming;

/// <summary>What the first frame of a request said that comes in fragments.</summary>
internal sealed record RequestStart(DefinedMethod Method, RequestHead Head, long Due, InboundExtras? Extras);
