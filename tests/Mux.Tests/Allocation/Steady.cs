using Mux.Tests.Contracts;

namespace Mux.Tests.Allocation;

/// <summary>Handlers that make no object themselves.</summary>
internal sealed class Steady : ISteady
{
    private static readonly Answer s_answer = new() { Id = 1 };

    /// <summary>What handlers that answer later wait for.</summary>
    public LaterAnswer Later { get; } = new();

    /// <summary>Whether they do so in an async method.</summary>
    public bool IsAsync { get; set; }

    /// <summary>Whether a handler makes an object nevertheless.</summary>
    public bool Wastes { get; set; }

    /// <summary>Keeps what was made from being optimized away.</summary>
    public object? Waste { get; private set; }

    public ValueTask Empty() => default;

    public ValueTask<int> Number(int number)
    {
        if (Wastes) Waste = new object();
        return new(number);
    }

    public ValueTask<Point> Struct(Point point) => new(point);

    public ValueTask<Point> Several(int number, Point point, double weight, bool turned) => new(turned ? new Point(point.Y, point.X) : point);

    public ValueTask<Point> WithToken(Point point, CancellationToken cancellationToken) => new(cancellationToken.CanBeCanceled ? point : default);

    public ValueTask<Answer> Message(Question question) => new(s_answer);

    public ValueTask Tell(Point point) => default;

    ValueTask<Point> ISteady.Later(Point point, CancellationToken cancellationToken) => IsAsync ? AnswerAsync() : Later.Take();

    /// <summary>What most handlers that wait look like.</summary>
    public async ValueTask<Point> AnswerAsync() => await Later.Take().ConfigureAwait(false);
}
