namespace Mux.Tests.Filters;

/// <summary>Methods with several arguments, with one and with none.</summary>
[MuxService("t.Arguments"), MuxCompatibilityLevel(MuxCompatibilityLevel.Level300)]
public interface IArguments
{
    [System.Diagnostics.CodeAnalysis.SuppressMessage("Naming", "CA1716", Justification = "A name that C# escapes is the case to test.")]
    ValueTask<string> Join(string left, int @operator, PlacedOrder? order, Guid? id);

    ValueTask<string> Echo(string text);

    ValueTask<string> None();

    ValueTask<string> Sum(int first, string unit, IAsyncEnumerable<int> items);
}
