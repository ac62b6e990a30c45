namespace Mux.Engine;

/// <summary>Holds messages in fragments that count in a <see cref="ReassemblyBudget"/>.</summary>
internal interface IMessageHolder
{
    /// <summary>Drops messages of calls that are over: room is short. In the turn.</summary>
    void DropStale();
}
