namespace BlockingFront.Stacks;

/// <summary>One way to make calls: what its back, its front and its callers are.</summary>
internal abstract class Stack
{
    /// <summary>How long the back takes for an answer.</summary>
    protected static readonly TimeSpan BackTime = TimeSpan.FromMilliseconds(20);

    public abstract string Name { get; }

    public static Stack Named(string name) => name switch
    {
        "mux" => new MuxStack(),
        "grpc" => new GrpcStack(),
        "threads" => new ThreadStack(),
        _ => throw new ArgumentException($"There is no stack '{name}': mux, grpc or threads.", nameof(name)),
    };

    /// <summary>Answers each number with the next one, after <see cref="BackTime"/>, without holding a thread.</summary>
    /// <param name="announce">Is given the port, and ends when the process is to.</param>
    public abstract Task RunBackAsync(Func<int, Task> announce);

    /// <summary>Answers each number with what the back answers, and blocks its handler until then.</summary>
    /// <inheritdoc cref="RunBackAsync"/>
    public abstract Task RunFrontAsync(int back, Func<int, Task> announce);

    /// <summary>A client of the front, which any number of callers share.</summary>
    public abstract ICallers Connect(int front);
}
