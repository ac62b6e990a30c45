namespace Mux.Tests.Callbacks;

/// <summary>Told and asked while a call runs, one after the other.</summary>
[MuxCallback]
public interface IProgress
{
    [MuxMethod(OneWay = true)]
    ValueTask Report(int percent);

    ValueTask<string> Ask(string question, CancellationToken cancellationToken = default);

    ValueTask Advance();

    [MuxMethod("Take")]
    Task<byte[]> FetchAsync(byte[] bytes, int repeated, CancellationToken cancellationToken);
}
