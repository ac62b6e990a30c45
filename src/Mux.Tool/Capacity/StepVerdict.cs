namespace Mux.Tool.Capacity;

/// <summary>What a rate has come to.</summary>
internal enum StepVerdict
{
    /// <summary>The objectives hold at it.</summary>
    Held,

    /// <summary>The server does not hold them.</summary>
    Broken,

    /// <summary>The generator did not make the calls as planned, so it is not known whether the server would hold them.</summary>
    Saturated,
}
