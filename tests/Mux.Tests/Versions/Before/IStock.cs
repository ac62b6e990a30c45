namespace Mux.Tests.Versions.Before;

public interface IStock
{
    ValueTask<int> Count(string item);
}
