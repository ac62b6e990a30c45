using System.ComponentModel;

namespace Mux.Filters;

/// <summary>A call with a reply of a type. Implemented by the runtime, so that filters get replies without boxing.</summary>
/// <typeparam name="T">The type of the reply.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IResponseHolder<T>
{
    /// <summary>Gets the reply, if there is one.</summary>
    /// <returns>False if the call has no reply yet, has failed, or has a response stream.</returns>
    bool TryGet(out T response);

    /// <summary>Sets the reply.</summary>
    /// <returns>False if the method has a response stream.</returns>
    bool TrySet(T response);
}
