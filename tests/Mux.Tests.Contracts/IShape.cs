namespace Mux.Tests.Contracts;

/// <summary>A contract of which the tests hold another version, with the other shapes.</summary>
[MuxService("test.Shape")]
public interface IShape
{
    ValueTask Answered(int number);

    [MuxMethod(OneWay = true)]
    ValueTask Posted(int number);
}
