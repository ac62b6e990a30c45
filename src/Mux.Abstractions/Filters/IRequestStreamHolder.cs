using System.ComponentModel;

namespace Mux.Filters;

/// <summary>A call with a request stream whose items have a type. Implemented by the runtime.</summary>
/// <typeparam name="T">The type of the items.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IRequestStreamHolder<T>
{
    /// <summary>Puts a function around the request stream.</summary>
    /// <returns>False if the method has no request stream.</returns>
    bool TryWrapRequests(Func<IAsyncEnumerable<T>, IAsyncEnumerable<T>> wrap);
}
