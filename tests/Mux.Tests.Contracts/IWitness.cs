namespace Mux.Tests.Contracts;

/// <summary>A callback that contracts of other assemblies take, with messages of this one.</summary>
[MuxCallback]
public interface IWitness
{
    [MuxMethod(OneWay = true)]
    ValueTask Saw(Point point);

    ValueTask<Question> Tell(Question question, Point point, CancellationToken cancellationToken = default);
}
