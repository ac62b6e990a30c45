namespace Evidence.Restarts;

/// <summary>Notes each call that it executes.</summary>
[MuxService("evidence.Ledger")]
public interface ILedger
{
    ValueTask<int> Enter(int number);
}
