namespace Mux.Engine;

/// <summary>Allows a call that must not overtake earlier ones, unless calls have gone back to their route meanwhile: earlier ones may be among them.</summary>
/// <param name="removals"><see cref="CallQueue.Removals"/> of the time at which the connection got the earlier calls.</param>
internal readonly struct InOrderOnly(int removals) : IStartRule
{
    public bool Allows(CallQueue waiting) => waiting.Removals == removals;

    public bool IsSentLater => false;
}
