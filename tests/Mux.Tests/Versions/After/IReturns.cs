namespace Mux.Tests.Versions.After;

/// <summary>What was not inherited before.</summary>
public interface IReturns
{
    ValueTask<int> GiveBack(int id);
}
