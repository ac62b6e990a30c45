namespace Mux.Core.Tests.BadInput;

/// <summary>How far a connection is when bad input comes.</summary>
internal enum BadInputStage
{
    /// <summary>The link is up, and nothing was received.</summary>
    Connected,

    /// <summary>Both HELLOs are there, and the accepting side wants to know who the other one is.</summary>
    Authenticating,

    /// <summary>The handshake is done and calls are open both ways; see <see cref="BadInputScene"/>.</summary>
    Open,
}
