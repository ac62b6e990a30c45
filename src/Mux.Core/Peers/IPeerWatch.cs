namespace Mux.Peers;

/// <summary>Is told of the end of a peer before user code is.</summary>
internal interface IPeerWatch
{
    /// <summary>The connection has ended. Called once, without locks. Throws nothing.</summary>
    void OnEnded();
}
