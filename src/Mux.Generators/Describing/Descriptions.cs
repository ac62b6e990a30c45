using Mux.Generators.Contracts.Models;
using Mux.Generators.Messages.Models;

namespace Mux.Generators.Describing;

/// <summary>Adds descriptions to the models of one assembly.</summary>
internal static class Descriptions
{
    /// <summary>Name of the property of a project that turns them off.</summary>
    public const string Property = "build_property.MuxDescriptions";

    private static readonly LastMade<MessageModel, DescribedMessage> s_messages = new();
    private static readonly LastMade<ServiceModel, DescribedService> s_services = new();

    public static EquatableArray<MessageModel> AddTo(EquatableArray<MessageModel> messages) => AddTo(messages, new MessageGraph(messages));

    /// <param name="messages">The messages.</param>
    /// <param name="graph">Their graph.</param>
    public static EquatableArray<MessageModel> AddTo(EquatableArray<MessageModel> messages, MessageGraph graph) =>
        new([.. messages.Select(message => MessageGraph.IsDescribed(message) ? AddTo(message, graph) : message)]);

    /// <param name="services">The contracts.</param>
    /// <param name="graph">The graph of all messages that they reach.</param>
    public static EquatableArray<ServiceModel> AddTo(EquatableArray<ServiceModel> services, MessageGraph graph)
    {
        var taken = ServiceDescriber.TakenNames(graph, services);
        return new([.. services.Select(service => AddTo(service, graph, taken))]);
    }

    /// <summary>Describes models that stay as they are.</summary>
    /// <param name="services">The contracts.</param>
    /// <param name="messages">All messages that they reach.</param>
    public static IEnumerable<DescriptionModel> Of(EquatableArray<ServiceModel> services, EquatableArray<MessageModel> messages)
    {
        var graph = new MessageGraph(messages);
        return AddTo(services, graph).Select(static service => service.Description!)
            .Concat(AddTo(messages, graph).Select(static message => message.Description).OfType<DescriptionModel>());
    }

    private static MessageModel AddTo(MessageModel message, MessageGraph graph)
    {
        if (s_messages.Of(message) is { } last && last.HoldsFor(graph, message)) return last.Made;
        var answers = new GraphAnswers(graph);
        var description = MessageDescriber.Describe(graph.NameOf(message), graph.IsProto2(message), message, answers);
        answers.Complete();
        var made = message with { Description = description };
        return s_messages.Keep(message, new(graph.NameOf(message), graph.IsProto2(message), answers, made)).Made;
    }

    private static ServiceModel AddTo(ServiceModel service, MessageGraph graph, HashSet<string> taken)
    {
        if (s_services.Of(service) is { } last && last.Answers.HoldFor(graph, taken)) return last.Made;
        var answers = new GraphAnswers(graph, taken);
        var made = service with { Description = ServiceDescriber.Describe(service, answers) };
        answers.Complete();
        return s_services.Keep(service, new(answers, made)).Made;
    }

    private sealed record DescribedMessage(ProtoName Name, bool IsProto2, GraphAnswers Answers, MessageModel Made)
    {
        public bool HoldsFor(MessageGraph graph, MessageModel message) =>
            graph.NameOf(message) == Name && graph.IsProto2(message) == IsProto2 && Answers.HoldFor(graph);
    }

    private sealed record DescribedService(GraphAnswers Answers, ServiceModel Made);
}
