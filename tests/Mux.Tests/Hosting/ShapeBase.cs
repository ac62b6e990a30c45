using Mux.Tests.Contracts;

namespace Mux.Tests.Hosting;

/// <summary>A service of which only the constructor matters.</summary>
internal abstract class ShapeBase : IShape
{
    public ValueTask Answered(int number) => default;

    public ValueTask Posted(int number) => default;
}
