namespace Mux.Engine;

/// <summary>A stream without an end of its own.</summary>
internal interface IPushedStream
{
    /// <summary>This side drains: the stream ends. Any thread, at most once.</summary>
    void OnDraining();
}
