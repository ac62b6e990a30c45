namespace Mux;

/// <summary>How a channel with several endpoints chooses one for each call.</summary>
public enum MuxBalancingPolicy
{
    /// <summary>
    /// Compares two endpoints at random, and takes the one with fewer open calls in relation to its speed, weight and zone. The default.
    /// </summary>
    TwoChoices,

    /// <summary>Gives calls to the endpoints in turn, by weight and zone. Does not see their load: for calls that all cost the same.</summary>
    RoundRobin,
}
