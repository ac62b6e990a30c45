namespace Evidence.Overload;

/// <summary>Handlers that compute.</summary>
[MuxService("evidence.Burner")]
public interface IBurner
{
    /// <summary>Computes for 2 ms of processor time.</summary>
    ValueTask<int> Burn(int number);
}
