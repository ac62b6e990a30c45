namespace Mux.Tool.Chaos;

/// <summary>How the bytes of a direction end.</summary>
internal enum StreamEnd
{
    /// <summary>The sender ended its stream.</summary>
    Closed,

    /// <summary>The sender reset the connection.</summary>
    Reset,

    /// <summary>The proxy dropped bytes, or an end, of a half-open connection.</summary>
    Severed,
}
