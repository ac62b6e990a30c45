using System.ComponentModel;

namespace Mux.Filters;

/// <summary>A call with a request of a type. Implemented by the runtime, so that filters get requests without boxing.</summary>
/// <typeparam name="T">The type of the request.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IRequestHolder<T>
{
    /// <summary>Gets or sets the request.</summary>
    /// <exception cref="InvalidOperationException">Set when the handler has started, or the call was sent.</exception>
    T Message { get; set; }
}
