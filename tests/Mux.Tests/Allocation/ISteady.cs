using Mux.Tests.Contracts;

namespace Mux.Tests.Allocation;

/// <summary>Methods whose arguments and results are values, so that every object a call makes is the engine's; and one with messages.</summary>
[MuxService("test.Steady")]
public interface ISteady
{
    ValueTask Empty();

    ValueTask<int> Number(int number);

    ValueTask<Point> Struct(Point point);

    ValueTask<Point> Several(int number, Point point, double weight, bool turned);

    ValueTask<Point> WithToken(Point point, CancellationToken cancellationToken = default);

    /// <summary>Its handler answers later.</summary>
    ValueTask<Point> Later(Point point, CancellationToken cancellationToken = default);

    ValueTask<Answer> Message(Question question);

    [MuxMethod(OneWay = true)]
    ValueTask Tell(Point point);
}
