using System.ComponentModel;

namespace Mux.Filters;

/// <summary>A call with a response stream whose items have a type. Implemented by the runtime.</summary>
/// <typeparam name="T">The type of the items.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IResponseStreamHolder<T>
{
    /// <summary>Puts a function around the response stream.</summary>
    /// <returns>False if the method has no response stream.</returns>
    bool TryWrapResponses(Func<IAsyncEnumerable<T>, IAsyncEnumerable<T>> wrap);

    /// <summary>Sets the response stream, instead of what follows.</summary>
    /// <returns>False if the method has no response stream.</returns>
    /// <exception cref="InvalidOperationException">The call has an outcome, or what follows has run.</exception>
    bool TrySetResponses(IAsyncEnumerable<T> items);
}
