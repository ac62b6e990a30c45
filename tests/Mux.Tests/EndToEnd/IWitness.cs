namespace Mux.Tests.EndToEnd;

/// <summary>Fails with as much as it is asked for.</summary>
[MuxService("test.Witness")]
[MuxError<Evidence>(1)]
public interface IWitness
{
    /// <param name="detail">Bytes of the detail; 0 for none.</param>
    /// <param name="metadata">Bytes of the metadata; 0 for none.</param>
    /// <param name="isDefect">Whether it throws what its caller is not told of.</param>
    /// <param name="options">Of the call.</param>
    ValueTask Testify(int detail, int metadata, bool isDefect = false, MuxCallOptions? options = null);
}
