namespace Mux.Tests.EndToEnd;

/// <summary>What a client believes <see cref="Contracts.IShape"/> to be: the shapes are the other way round, and there is a method more.</summary>
[MuxService("test.Shape")]
public interface INewerShape
{
    [MuxMethod(OneWay = true)]
    ValueTask Answered(int number);

    ValueTask Posted(int number);

    ValueTask Added(int number);
}
