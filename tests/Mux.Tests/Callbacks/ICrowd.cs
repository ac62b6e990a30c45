namespace Mux.Tests.Callbacks;

/// <summary>Entered by four at a time.</summary>
[MuxCallback(Concurrent = 4)]
public interface ICrowd
{
    Task<int> Enter(int number, CancellationToken cancellationToken = default);
}
