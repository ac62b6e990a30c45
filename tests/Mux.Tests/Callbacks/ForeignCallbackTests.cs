using System.Collections.Concurrent;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;

namespace Mux.Tests.Callbacks;

/// <summary>A callback interface of an assembly that has neither the contract nor its proxy.</summary>
public sealed class ForeignCallbackTests : EndToEndTests
{
    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_callback_of_another_assembly_is_called_like_one_of_this(TransportKind kind)
    {
        const int Points = 10;
        var scene = Begin(kind);
        var witness = new Witness();
        var sut = scene.CreateChannel(scene.StartServer(static server => server.AddService<ITrial>(new Trial(Points)))).CreateProxy<ITrial>();
        Assert.Equal(45, await sut.Hear(witness, TestContext.Current.CancellationToken).AsTask().Within("a call with a callback of another assembly"));
        Assert.Equal(Enumerable.Range(0, Points).Select(static i => new Point(i, -i)), witness.Seen);
    }

    private sealed class Trial(int points) : ITrial
    {
        public async ValueTask<int> Hear(IWitness witness, CancellationToken cancellationToken)
        {
            int sum = 0;
            for (int i = 0; i < points; i++)
            {
                await witness.Saw(new Point(i, -i));
                sum += (await witness.Tell(new Question { Id = i }, new Point(i, i), cancellationToken)).Id;
            }

            return sum;
        }
    }

    private sealed class Witness : IWitness
    {
        public ConcurrentQueue<Point> Seen { get; } = [];

        public ValueTask Saw(Point point)
        {
            Seen.Enqueue(point);
            return default;
        }

        public ValueTask<Question> Tell(Question question, Point point, CancellationToken cancellationToken)
        {
            Assert.Equal(question.Id, point.X);
            return new(question);
        }
    }
}
