namespace Mux.Tests.Versions.After;

/// <summary>A parameter more, and a method more.</summary>
public interface IStock
{
    ValueTask<int> Count(string item, int shelf);

    ValueTask<bool> Reserve(string item);
}
