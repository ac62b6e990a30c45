namespace Mux.Tests.Callbacks;

/// <summary>Does what the test says.</summary>
internal sealed class Imports : IImports
{
    public Func<string, IProgress, CancellationToken, ValueTask<int>> OnImport { get; set; } = static (_, _, _) => new(0);

    public Func<IProgress, ICrowd, IProgress, CancellationToken, Task> OnMeet { get; set; } = static (_, _, _, _) => Task.CompletedTask;

    /// <summary>The peer that called last.</summary>
    public MuxPeer? LastCaller { get; private set; }

    public ValueTask<int> Import(string file, IProgress progress, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        LastCaller = options!.Caller;
        return OnImport(file, progress, cancellationToken);
    }

    public Task Meet(IProgress first, ICrowd crowd, IProgress second, CancellationToken cancellationToken) => OnMeet(first, crowd, second, cancellationToken);

    public async ValueTask Bare(IProgress progress) => await progress.Advance();

    public ValueTask<int> Echo(int number, CancellationToken cancellationToken) => new(number);
}
