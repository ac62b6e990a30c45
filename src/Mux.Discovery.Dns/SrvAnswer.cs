namespace Mux.Discovery.Dns;

/// <summary>What DNS says about a service at one moment.</summary>
/// <param name="Records">The servers; empty if the records say that there is no service.</param>
/// <param name="TimeToLive">How long all of it is valid.</param>
internal sealed record SrvAnswer(IReadOnlyList<SrvServer> Records, TimeSpan TimeToLive);
